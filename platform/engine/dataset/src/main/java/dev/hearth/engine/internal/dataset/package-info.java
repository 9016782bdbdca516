/**
 * Datasets of the API as lineages, and the planning of jobs.
 * <p>A {@link dev.hearth.engine.internal.dataset.PlannedRdd} is a {@link dev.hearth.engine.internal.dataset.Lineage}: a
 * transformation writes down what to compute and captures its function, and computes nothing. An
 * {@link dev.hearth.engine.internal.dataset.Action} plans a job in two steps. It first runs the jobs on whose results the plan
 * depends, such as the sample of keys for a sort. Then it divides the lineage into stages at each shuffle, and the lineage within a
 * stage into branches at each narrow dependency on several datasets. Persisted datasets become steps that cache, so planning asks
 * which blocks are cached already. After the job it writes the checkpoints that are due and truncates the lineages there.
 * <p>Threads: planning happens on the thread that calls the action. Lineages are immutable, except that a checkpoint replaces one.
 */
@NullMarked
package dev.hearth.engine.internal.dataset;

import org.jspecify.annotations.NullMarked;
