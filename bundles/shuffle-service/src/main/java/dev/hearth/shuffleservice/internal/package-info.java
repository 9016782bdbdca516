/**
 * Shuffle service of a worker: serves map outputs of executors, also of those that have ended. {@code
 * RunningShuffleService} opens a scope for each application. {@code ServedMapOutputs} finds outputs by the index files
 * that executors have linked. The state machine {@code ApplicationLeases} decides when the files of an application are
 * removed.
 */
@NullMarked
package dev.hearth.shuffleservice.internal;

import org.jspecify.annotations.NullMarked;
