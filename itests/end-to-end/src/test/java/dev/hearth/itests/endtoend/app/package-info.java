/** Applications that the tests submit; they are packed into a jar and see the application interface only. */
@NullMarked
package dev.hearth.itests.endtoend.app;

import org.jspecify.annotations.NullMarked;
