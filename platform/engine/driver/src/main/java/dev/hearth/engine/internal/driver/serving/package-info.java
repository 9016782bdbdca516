/**
 * Services for executors in other processes: jars, bundles, files, broadcasts, stages and locations. Any
 * thread may call unless a type says otherwise.
 */
@NullMarked
package dev.hearth.engine.internal.driver.serving;

import org.jspecify.annotations.NullMarked;
