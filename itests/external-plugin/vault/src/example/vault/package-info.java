/** A client of a vault, lent to applications by a bundle written outside the project. */
package example.vault;
