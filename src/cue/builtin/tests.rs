//! Functions of the packages against recorded answers.
