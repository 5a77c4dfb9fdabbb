use super::Result;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use lucena::syzygy::SyzygyTables;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// Folders of Syzygy files: options of verbs that look positions up.
#[derive(Clone)]
pub(super) struct SyzygyArgs {
    option: SyzygyOption,
    /// True if the folders stand on the command line, and not among the defaults.
    is_named: bool,
}

#[derive(Clone, clap::Args)]
struct SyzygyOption {
    /// Folders of Syzygy files of up to seven men, separated by colons (semicolons on Windows) [default: those of the
    /// environment variable LUCENA_SYZYGY, if it is set]
    #[arg(long, value_name = "DIR[:DIR]")]
    syzygy: Option<OsString>,
}

impl Args for SyzygyArgs {
    fn augment_args(command: Command) -> Command {
        SyzygyOption::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        SyzygyOption::augment_args_for_update(command)
    }
}

impl FromArgMatches for SyzygyArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let is_named = matches.value_source("syzygy") == Some(ValueSource::CommandLine);
        Ok(Self { option: SyzygyOption::from_arg_matches(matches)?, is_named })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl SyzygyArgs {
    /// Returns true if the command line names folders.
    pub(super) fn is_named(&self) -> bool {
        self.is_named
    }

    /// Lists the files in the folders; `None` if no folders are named.
    pub(super) fn open(&self) -> Result<Option<SyzygyTables>> {
        self.folders().map(|folders| open_syzygy(&folders)).transpose()
    }

    /// The folders, separated as in PATH; `None` if none are named.
    fn folders(&self) -> Option<OsString> {
        let usual = || std::env::var_os("LUCENA_SYZYGY").filter(|folders| !folders.is_empty());
        self.option.syzygy.clone().or_else(usual)
    }

    /// The folders, which are not checked.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        self.folders().map_or_else(Vec::new, |folders| split(&folders))
    }
}

/// Lists the files in folders that are separated as in PATH.
pub(super) fn open_syzygy(folders: &OsStr) -> Result<SyzygyTables> {
    Ok(SyzygyTables::open(&split(folders))?)
}

fn split(folders: &OsStr) -> Vec<PathBuf> {
    std::env::split_paths(folders).filter(|folder| !folder.as_os_str().is_empty()).collect()
}
