/** The daemon that decides where drivers and executors go. */
@NullMarked
package dev.hearth.standalone.internal.master;

import org.jspecify.annotations.NullMarked;
