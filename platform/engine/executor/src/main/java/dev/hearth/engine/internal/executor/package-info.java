/**
 * The executor, which runs the tasks of one application in one process. The process is either its own or that of the
 * driver.
 * <p>Layers, from the outside in:
 * <ul>
 * <li>{@link dev.hearth.engine.internal.executor.ExecutorRole} is the process. {@link
 *     dev.hearth.engine.internal.executor.RemoteExecutor} connects to the driver, loads the application's code, registers, and
 *     obeys the driver's orders. Within the driver's process neither is needed.
 * <li>{@link dev.hearth.engine.internal.executor.TaskRunner} has the stages, the queue of launched batches and the
 *     cores. It is owned by one event loop, either the executor's or the driver's.
 * <li>{@link dev.hearth.engine.internal.executor.TaskCore} is one core. It takes tasks from the queue, runs them one
 *     by one on its thread, and reports ended tasks in batches.
 * <li>A task attempt runs a prepared pipeline: source, steps and sink become iterators over iterators, so an element passes all
 *     steps before the next one is read. Sorting, grouping and caching are the exceptions.
 * </ul>
 * <p>{@link dev.hearth.engine.internal.executor.DataPlane} owns everything that tasks share: memory, serializer,
 * files, map outputs and cached blocks. Its components are created lazily, because many programs need none of them.
 * <p>An attempt ends in one of these ways, and is reported exactly once:
 * <ul>
 * <li>It succeeds. Its map output and cached blocks are published first, so that tasks launched because of the report find them.
 * <li>It fails, by an exception of the user's code or by a failed read. The user's code may catch a failed read, but the attempt
 *     fails all the same.
 * <li>A fetch fails: a map output is missing or corrupt. The report names it, and the driver computes it again.
 * <li>It is killed. It notices at the next element, at the next wait for an answer, or by an interrupt if the driver wants one.
 * <li>It is abandoned: killed in the driver's process, and still running after {@code hearth.task.reaper.killTimeout}.
 * <li>It is recalled before it began.
 * </ul>
 * <p>An example: the driver sends {@code DefineStage}, then {@code LaunchTasks} with tasks 7 and 8. The executor's
 * event loop deserialises the shared functions once and queues one batch; two idle cores wake and take a task each.
 * Task 7 writes its map output to a file, publishes it and is added to its core's batch of ended tasks. As no task is
 * left, the core reports the batch to the driver and parks.
 */
@NullMarked
package dev.hearth.engine.internal.executor;

import org.jspecify.annotations.NullMarked;
