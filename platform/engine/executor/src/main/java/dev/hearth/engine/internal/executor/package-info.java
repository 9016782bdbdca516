/** The executor's side: templates, task threads, and reports. */
@NullMarked
package dev.hearth.engine.internal.executor;

import org.jspecify.annotations.NullMarked;
