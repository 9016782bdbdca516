/** Texts in JSON: the state of a master, and requests to servers of Spark's REST protocol. */
@NullMarked
package dev.hearth.standalone.internal.json;

import org.jspecify.annotations.NullMarked;
