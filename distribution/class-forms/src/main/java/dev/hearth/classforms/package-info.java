/** Rewrites the classes of an installation into forms that archives of classes can hold. Runs in the build alone. */
@NullMarked
package dev.hearth.classforms;

import org.jspecify.annotations.NullMarked;
