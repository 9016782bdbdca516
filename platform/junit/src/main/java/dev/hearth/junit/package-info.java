/** Contexts for tests of applications with JUnit Jupiter. Runs on the threads of the tests. Stability: evolving. */
@NullMarked
package dev.hearth.junit;

import org.jspecify.annotations.NullMarked;
