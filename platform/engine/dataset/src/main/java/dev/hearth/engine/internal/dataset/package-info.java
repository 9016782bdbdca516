/** Datasets as their users write them: how each is made, and how that becomes stages. */
@NullMarked
package dev.hearth.engine.internal.dataset;

import org.jspecify.annotations.NullMarked;
