//! Files to import, and what an import leaves: two versions of three datasets, the calls whose answers tell which version
//! answers, and the files of editions.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use kuraka_registry::dataset::{ANEXOS, DATOS_ABIERTOS, Dataset, PADRON, RETENCION};
use kuraka_sandbox::sample;
use serde_json::Value;

use super::http::{Answer, post};
use super::imported::Files;
use super::program::{Home, Serving};

/// A company in the next day's file that is not in the sample.
pub(crate) const NEW_COMPANY: &str = sample::ABSENT;

/// The sample with one more company.
pub(crate) fn next_day() -> Vec<u8> {
    let line = format!("{NEW_COMPANY}|EMPRESA NUEVA INVENTADA S.A.C.|ACTIVO|HABIDO|150101|AV.|GRAU|-|-|1|-|-|-|-|-|\n");
    [sample::PADRON, line.as_bytes()].concat()
}

/// Changes a byte.
pub(crate) fn damage(file: &Path) {
    let mut bytes = fs::read(file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    fs::write(file, bytes).unwrap();
}

/// The annex premises of one company, in these streets.
pub(crate) fn annexes(streets: &[&str]) -> Vec<u8> {
    let header = "RUC|UBIGEO|TIPO DE VÍA|NOMBRE DE VÍA|CÓDIGO DE ZONA|TIPO DE ZONA|NÚMERO|KILÓMETRO|INTERIOR|LOTE|\
                  DEPARTAMENTO|MANZANA|";
    let row = |street: &&str| format!("{}|150101|AV.|{street}|-|-|1|-|-|-|-|-|\n", sample::COMPANY);
    format!("{header}\n{}", streets.iter().map(row).collect::<String>()).into_bytes()
}

/// Two versions of a dataset's file. The second one has more.
pub(crate) struct Versions {
    pub(crate) dataset: &'static Dataset,
    /// The name of the published text.
    pub(crate) file_name: &'static str,
    pub(crate) files: [Vec<u8>; 2],
    /// The operation that tells them apart, and the company about which they differ.
    operation: &'static str,
    pub(crate) ruc: &'static str,
    /// A part of the record of [`sample::COMPANY`] in both versions, which comes from this dataset.
    pub(crate) common: &'static str,
    /// The version that a record, or a 404, is from.
    told: fn(&Answer) -> usize,
}

/// The sample's lists of flags, which `/ruc` needs, with the names of their files.
pub(crate) const LISTS: [(&str, &str, &[u8]); 2] = [
    ("retencion", "AgenRet_TXT.txt", sample::WITHHOLDING),
    ("buenos_contribuyentes", "BueCont_TXT.txt", sample::GOOD_TAXPAYERS),
];

/// The padrón, a list with a flag in each answer, and a dataset with many rows a taxpayer.
pub(crate) fn versions() -> [Versions; 3] {
    let listed = format!("{}|ALGUNA S.A.|01/06/2002|RS R.S.037-2002|\r", sample::DESCRIBED);
    [
        Versions {
            dataset: &PADRON,
            file_name: "padron_reducido_ruc.txt",
            files: [sample::PADRON.to_vec(), next_day()],
            operation: "/ruc",
            ruc: NEW_COMPANY,
            common: "3M PERU S A",
            told: |answer| usize::from(answer.status == 200),
        },
        Versions {
            dataset: &RETENCION,
            file_name: "AgenRet_TXT.txt",
            files: [sample::WITHHOLDING.to_vec(), [sample::WITHHOLDING, listed.as_bytes()].concat()],
            operation: "/ruc",
            ruc: sample::DESCRIBED,
            common: r#""es_agente_de_retencion":"SI""#,
            told: |answer| {
                ["NO", "SI"].iter().position(|flag| answer.data()["es_agente_de_retencion"] == *flag).unwrap()
            },
        },
        Versions {
            dataset: &ANEXOS,
            file_name: "padron_reducido_local_anexo.txt",
            files: [annexes(&["GRAU"]), annexes(&["GRAU", "UNO"])],
            operation: "/ruc-anexos",
            ruc: sample::COMPANY,
            common: "AV. GRAU NRO. 1",
            told: |answer| answer.data().as_array().unwrap().len() - 1,
        },
    ]
}

/// Two months of the open data, both in the record of months.
pub(crate) fn open_data() -> Versions {
    let header = DATOS_ABIERTOS.columns.iter().map(|column| column.header).collect::<Vec<_>>().join(",");
    let month =
        |month| format!("{header}\n{},ACTIVO,HABIDO{},{month}\n", sample::COMPANY, ",-".repeat(12)).into_bytes();
    Versions {
        dataset: &DATOS_ABIERTOS,
        file_name: "PadronRUC.csv",
        files: ["202608", "202609"].map(month),
        operation: "/ruc-ficha",
        ruc: sample::COMPANY,
        common: "ACTIVO",
        told: |_| 0,
    }
}

impl Home {
    /// Imports a file with this name as an edition of a dataset and returns the edition's label.
    pub(crate) fn import_dataset(&self, dataset: &str, name: &str, bytes: &[u8]) -> String {
        let file = self.write(name, bytes);
        let out = self.run(&["dataset", "import", dataset, &file]).succeeded();
        let rest = out.strip_prefix("published edition ").or_else(|| out.strip_prefix("unchanged: edition "));
        let label = rest.and_then(|rest| rest.split(' ').next());
        label.unwrap_or_else(|| panic!("{out}")).to_owned()
    }

    /// Returns the report.
    pub(crate) fn import_of(&self, day: &str, dataset: &str, bytes: impl AsRef<[u8]>) -> String {
        let file = self.write("published", bytes);
        self.run(&["dataset", "import", dataset, &file, "--date", day]).succeeded()
    }

    /// Imports these bytes as a padrón, and the sample's lists if there are none, which `/ruc` needs. Returns the padrón's
    /// label. The first import of the sample into a folder copies the result of an earlier one, because an import takes longer than most tests.
    pub(crate) fn import(&self, padron: &[u8]) -> String {
        static SAMPLE: LazyLock<(String, Files)> = LazyLock::new(|| {
            let home = Home::new();
            let label = home.import_padron(sample::PADRON);
            (label, Files::read(&home.data("registry")))
        });
        let registry = self.data("registry");
        // Another program may show the command another disk.
        if padron != sample::PADRON || registry.exists() || !self.launcher.is_empty() {
            return self.import_padron(padron);
        }
        SAMPLE.1.write(&registry);
        SAMPLE.0.clone()
    }

    /// Serves the sample's padrón; also returns a token of a new account.
    pub(crate) fn serve_sample(&self, email: &str) -> (Serving, String) {
        self.import(sample::PADRON);
        let token = self.token(email);
        (self.serve(), token)
    }

    /// As [`Home::import`], by the commands.
    pub(crate) fn import_padron(&self, padron: &[u8]) -> String {
        self.import_lists(&LISTS);
        self.import_dataset("padron", "padron_reducido_ruc.txt", padron)
    }

    /// Imports these of [`LISTS`], unless they are there.
    pub(crate) fn import_lists(&self, lists: &[(&str, &str, &[u8])]) {
        for (list, name, bytes) in lists.iter().filter(|(list, ..)| !self.dataset(list, "CURRENT").exists()) {
            self.import_dataset(list, name, bytes);
        }
    }

    /// A path in the folder of a dataset.
    pub(crate) fn dataset(&self, dataset: &str, name: &str) -> PathBuf {
        self.data("registry").join(dataset).join(name)
    }

    /// The file of an edition.
    pub(crate) fn edition(&self, dataset: &str, label: &str) -> PathBuf {
        self.dataset(dataset, &format!("editions/{label}.kuraka"))
    }

    /// The file of the current edition of a dataset.
    pub(crate) fn current(&self, dataset: &str) -> PathBuf {
        let current = fs::read_to_string(self.dataset(dataset, "CURRENT")).unwrap();
        self.edition(dataset, current.split_once(' ').unwrap().0)
    }

    /// What `kuraka dataset info --json` says about a dataset.
    pub(crate) fn info(&self, dataset: &str) -> Value {
        serde_json::from_str(&self.run(&["dataset", "info", dataset, "--json"]).succeeded()).unwrap()
    }
}

impl Versions {
    /// Imports a version and returns the edition's label.
    pub(crate) fn import(&self, home: &Home, version: usize) -> String {
        home.import_lists(if self.dataset.name == PADRON.name { &LISTS } else { &LISTS[1..] });
        home.import_dataset(self.dataset.name, self.file_name, &self.files[version])
    }

    /// Asks the operation about a company.
    pub(crate) fn ask(&self, api: SocketAddr, token: &str, ruc: &str) -> Answer {
        post(api, self.operation, token, &format!("{{\"ruc\":\"{ruc}\"}}"))
    }

    /// The version that answers; `None` = the call is refused with 503.
    pub(crate) fn answering(&self, api: SocketAddr, token: &str) -> Option<usize> {
        self.version_of(&self.ask(api, token, self.ruc))
    }

    /// The version that an answer about the company in which they differ is from; `None` = it is a 503.
    pub(crate) fn version_of(&self, answer: &Answer) -> Option<usize> {
        match answer.status {
            200 | 404 => Some((self.told)(answer)),
            503 => {
                assert!(answer.body.contains("\"upstream_unavailable\""), "{answer:?}");
                None
            }
            _ => panic!("{answer:?}"),
        }
    }
}
