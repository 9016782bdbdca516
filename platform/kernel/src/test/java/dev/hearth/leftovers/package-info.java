/** An application as people write them: it leaves things behind. Packed into a jar of its own by the tests. */
@NullMarked
package dev.hearth.leftovers;

import org.jspecify.annotations.NullMarked;
