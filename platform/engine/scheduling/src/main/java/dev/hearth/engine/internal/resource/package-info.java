/**
 * Cores and resources of tasks: how many tasks an executor runs at a time, and which addresses each of them has.
 * <p><b>Terms.</b> A <i>resource</i> has a name, such as {@code gpu}, and on each executor a number of
 * <i>addresses</i>, such as {@code 0} and {@code 1}. The engine does not interpret addresses; user code does. The
 * <i>needs</i> of a task are its cores ({@code hearth.task.cpus}) and an <i>amount</i> of each resource ({@code
 * hearth.task.resource.NAME.amount}). A <i>slot</i> is room for one task on an executor: as many as the cores allow, or
 * fewer if the addresses are the bottleneck. A <i>share</i> is the part of an address that one task has. Tasks that
 * need a whole address have all of it; with an amount of 0.25 an address has four shares.
 * <p><b>Life of an address.</b> An executor registers with its addresses, which its cluster manager chose or a discovery
 * script found. The task scheduler makes an {@code AddressPool} of them. A launch takes a {@code Lease} from the pool,
 * and the message to the executor carries its addresses, which the task reads by {@code TaskContext.resources()}. The
 * lease is given back when the attempt leaves its executor in the scheduler, and nowhere else. That is where the end of
 * every attempt passes: success, failure, a kill, a lost speculative race, a cancelled stage. If the executor is lost,
 * its pool goes with it.
 * <p>Tasks with resources are never queued at an executor beyond its slots, because a queued task would have no address
 * yet. A killed task keeps its slot and its addresses until the executor reports its end, so that no other task uses an
 * address at the same time.
 * <p><b>A worked failure.</b> An executor with GPUs 0 and 1 runs tasks A and B. A is killed, because its speculative copy
 * won elsewhere, but its thread does not react. GPU 0 stays leased to A, and the executor has no free slot. When the
 * executor reports the end of A, its lease is given back, and the next task gets GPU 0. If the executor's process dies
 * instead, its cluster manager starts another one; it registers under a new id, with the addresses that it then has.
 * <p><b>Without resources</b> an executor has no pool, an attempt no lease and a launch message no addresses, so that
 * the usual launch costs nothing more. Stateless apart from {@code AddressPool}, which the task scheduler owns.
 */
@NullMarked
package dev.hearth.engine.internal.resource;

import org.jspecify.annotations.NullMarked;
