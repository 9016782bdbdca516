/** A cluster manager for {@code containers://N}, written outside the project. */
package example.containers;
