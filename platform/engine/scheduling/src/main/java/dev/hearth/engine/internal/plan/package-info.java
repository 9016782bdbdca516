/**
 * Plans of jobs: what the driver asks executors to compute, as immutable values without user objects.
 * <p>Terms. An action of the user becomes a <em>job</em>; {@link dev.hearth.engine.internal.plan.JobPlan} lists its
 * stages, parents first, and the partitions of the last stage that the action needs. A <em>stage</em>
 * ({@link dev.hearth.engine.internal.plan.StagePlan}) is a set of tasks, one for each partition, that run the same
 * {@link dev.hearth.engine.internal.plan.Pipeline}. Shuffles connect stages: one stage writes a shuffle, and its child
 * stages read it. The last stage of a job writes no shuffle and is called the result stage.
 * <p>A pipeline has three parts. Its {@link dev.hearth.engine.internal.plan.Source} yields elements: sent by the
 * driver, read from files, fetched from shuffles, or read from other branches. Each
 * {@link dev.hearth.engine.internal.plan.Step} transforms them in one pass, without intermediate collections. Its
 * {@link dev.hearth.engine.internal.plan.Sink} consumes them: it returns a result to the driver, or writes files or map
 * output. Functions of the user are {@code CapturedFunction}s, which contain the functions in serialised form.
 * <p>A stage with narrow dependencies on more than one dataset, such as a union, a zip or a coalesce, has several
 * <em>branches</em>. Each branch is a source with steps. The root branch ends in the sink. A source that reads other
 * branches names their partitions by {@link dev.hearth.engine.internal.plan.NarrowDependencies}.
 * <p>The <em>template</em> of a stage is all that its tasks share: the pipeline, the number of tasks and the name. An executor in
 * another process receives it once, under its content hash ({@link dev.hearth.engine.internal.plan.TemplateId}). A launched task
 * is then a few bytes: its id, partition and attempt, and its input if the driver has one for it.
 * <p>An example: {@code lines.mapToPair(f).reduceByKey(g, 4).collect()} over 10 partitions of a text file.
 * <ol>
 * <li>Stage A writes shuffle 0 with 10 tasks: source {@code Files(TEXT)}, step {@code Map(f)}, sink {@code ShuffleWrite(0, 4, none,
 *     Reduce(g))}. Each task reads its file splits, applies {@code f}, reduces the values of each key by {@code g}, and writes one
 *     segment for each of 4 reducers.
 * <li>Stage B is the result stage with 4 tasks: source {@code Aggregated(0, Reduce(g))}, no step, sink {@code Collect}. Each task
 *     fetches its segment of all 10 map outputs and reduces the values of each key again.
 * <li>If the pairs are already partitioned by hash into 4 partitions, no shuffle is needed. The stage that computes the
 *     pairs then has one more step, {@code AggregateByKey(Reduce(g))}.
 * </ol>
 * {@code KeyAggregation.Reduce} is the same value in all three places.
 * <p>Threads: the thread that submits a job builds its plan; afterwards any thread may read it.
 */
@NullMarked
package dev.hearth.engine.internal.plan;

import org.jspecify.annotations.NullMarked;
