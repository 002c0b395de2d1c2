//! Names for `<first>` and `<last>`, and the files that templates may name without having them.

/// Given names.
pub(super) const FIRST: [&str; 48] = [
    "Ada", "Alan", "Amara", "Anders", "Anna", "Asha", "Beatriz", "Benjamin", "Bruno", "Carla", "Chen",
    "Clara", "Daniel", "Diego", "Elena", "Emil", "Emma", "Farah", "Felix", "Freya", "Gabriel", "Grace",
    "Hana", "Hugo", "Iris", "Isaac", "Ivan", "Jana", "Jonas", "Julia", "Kai", "Karin", "Lars", "Leila",
    "Luca", "Maria", "Mateo", "Mei", "Nadia", "Noah", "Olga", "Omar", "Paula", "Priya", "Samuel", "Sofia",
    "Tomas", "Yuki",
];

/// Family names.
pub(super) const LAST: [&str; 49] = [
    "Abbott",
    "Ahmed",
    "Almeida",
    "Andersen",
    "Baker",
    "Becker",
    "Bianchi",
    "Carter",
    "Chen",
    "Costa",
    "Cruz",
    "Dubois",
    "Eriksen",
    "Evans",
    "Fischer",
    "Fernandez",
    "Garcia",
    "Gupta",
    "Haddad",
    "Hansen",
    "Ivanova",
    "Jansen",
    "Johnson",
    "Kaya",
    "Kim",
    "Kowalski",
    "Kumar",
    "Larsen",
    "Lopez",
    "Martin",
    "Meyer",
    "Miller",
    "Moreau",
    "Nakamura",
    "Nguyen",
    "Novak",
    "Okafor",
    "Olsen",
    "Patel",
    "Pereira",
    "Rossi",
    "Santos",
    "Sato",
    "Schmidt",
    "Silva",
    "Singh",
    "Smith",
    "Tanaka",
    "Weber",
];

const CITIES: [&str; 12] = [
    "Amsterdam",
    "Athens",
    "Bergen",
    "Berlin",
    "Bristol",
    "Grenoble",
    "Lisbon",
    "Lyon",
    "Oslo",
    "Porto",
    "Turin",
    "Vienna",
];

const STATES: [&str; 12] = ["AZ", "CA", "CO", "FL", "GA", "IL", "NY", "OH", "OR", "TX", "VA", "WA"];

const STREETS: [&str; 12] = [
    "Bridge Street",
    "Canal Street",
    "Castle Road",
    "Church Lane",
    "Garden Road",
    "Harbour Street",
    "High Street",
    "Lake View",
    "Market Square",
    "Mill Lane",
    "Park Avenue",
    "Station Road",
];

/// The lines of a file that comes with the program.
pub(super) fn built_in(file: &str) -> Option<&'static [&'static str]> {
    match file {
        "first.names" => Some(&FIRST),
        "last.names" => Some(&LAST),
        "cities" => Some(&CITIES),
        "states" => Some(&STATES),
        "streets" => Some(&STREETS),
        _ => None,
    }
}
