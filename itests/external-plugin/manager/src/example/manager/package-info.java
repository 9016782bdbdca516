/** A cluster manager for {@code example://cores/N}, written outside the project. */
package example.manager;
