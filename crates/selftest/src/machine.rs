//! What this machine itself adds to every answer: an independent client on loopback, while a load runs.
//!
//! Two threads pass a byte back and forth over TCP with blocking calls. A round trip holds what every request
//! of the generator holds too and no log sees: two ways through the kernel and two threads that must wake up.
//! How late the first thread wakes for it is kept beside. Nothing here shares code with the generator.

use crate::ordered::Ordered;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Pause between two round trips: some hundred of them in the shortest run, and hardly any CPU.
const PAUSE: Duration = Duration::from_millis(10);

/// Round trips that are kept: three hours of them.
const MOST: usize = 1 << 20;

/// What the machine made an independent client wait, ms.
#[derive(Debug, Clone, Default)]
pub(crate) struct Machine {
    /// Round trips of a byte over loopback.
    pub(crate) round_trips: Ordered,
    /// How late a thread woke from its sleep.
    pub(crate) wake_ups: Ordered,
}

impl Machine {
    /// By how much the machine alone may have delayed what lies at this quantile, ms.
    pub(crate) fn delay_ms(&self, quantile: f64) -> f64 {
        self.round_trips.quantile(quantile) + self.wake_ups.quantile(quantile)
    }

    /// What it adds to a request on average, ms.
    pub(crate) fn mean_delay_ms(&self) -> f64 {
        self.round_trips.mean() + self.wake_ups.mean()
    }
}

/// The independent client at work.
pub(crate) struct Witness {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Machine>,
}

impl Witness {
    /// Begins to measure.
    pub(crate) fn start() -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let near = TcpStream::connect(listener.local_addr()?)?;
        let (far, _) = listener.accept()?;
        near.set_nodelay(true)?;
        far.set_nodelay(true)?;
        std::thread::Builder::new().name("witness-echo".to_owned()).spawn(move || echo(far))?;
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = std::thread::Builder::new()
            .name("witness".to_owned())
            .spawn(move || measure(near, &stopped).unwrap_or_default())?;
        Ok(Self { stop, thread })
    }

    /// Ends; what it saw.
    pub(crate) fn finish(self) -> Machine {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().unwrap_or_default()
    }
}

/// Ends when the other side closes.
fn echo(mut stream: TcpStream) {
    let mut byte = [0];
    while stream.read_exact(&mut byte).and_then(|()| stream.write_all(&byte)).is_ok() {}
}

fn measure(mut stream: TcpStream, stop: &AtomicBool) -> io::Result<Machine> {
    let (mut round_trips, mut wake_ups) = (Vec::new(), Vec::new());
    let mut byte = [0];
    while !stop.load(Ordering::Relaxed) && round_trips.len() < MOST {
        let asleep = Instant::now();
        std::thread::sleep(PAUSE);
        let begun = Instant::now();
        stream.write_all(&byte)?;
        stream.read_exact(&mut byte)?;
        round_trips.push(begun.elapsed().as_secs_f64() * 1e3);
        wake_ups.push((begun - asleep).saturating_sub(PAUSE).as_secs_f64() * 1e3);
    }
    Ok(Machine { round_trips: Ordered::new(round_trips), wake_ups: Ordered::new(wake_ups) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips_take_some_time() {
        let witness = Witness::start().unwrap();
        std::thread::sleep(Duration::from_millis(100));
        let machine = witness.finish();
        assert!(machine.round_trips.count() > 0, "{machine:?}");
        assert!(machine.delay_ms(0.5) > 0.0, "{machine:?}");
    }
}
