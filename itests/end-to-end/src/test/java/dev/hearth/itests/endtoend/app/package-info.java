/** Applications that the tests submit, packed into a jar; they use the application API only. */
@NullMarked
package dev.hearth.itests.endtoend.app;

import org.jspecify.annotations.NullMarked;
