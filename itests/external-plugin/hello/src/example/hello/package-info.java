/** A shell command written outside the project. */
package example.hello;
