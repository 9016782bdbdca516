/**
 * Facts that a master must not forget: the submissions that it has taken, and the numbers that it has used.
 * <p>A {@code Fact} is one change of that, a record with a fixed number. {@code MasterLedger} applies facts in order and
 * changes in no other way, so that the facts of a log lead to the same ledger again. {@code FactForm} is the binary form of
 * facts. Workers, executors and applications are no facts, because they register with a new master by themselves.
 */
@NullMarked
package dev.hearth.standalone.internal.ledger;

import org.jspecify.annotations.NullMarked;
