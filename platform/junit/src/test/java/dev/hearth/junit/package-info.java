@NullMarked
package dev.hearth.junit;

import org.jspecify.annotations.NullMarked;
