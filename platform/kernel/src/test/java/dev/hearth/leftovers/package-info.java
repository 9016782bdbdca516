/** Application that leaks resources. The tests pack it into a jar. */
@NullMarked
package dev.hearth.leftovers;

import org.jspecify.annotations.NullMarked;
