package dev.hearth.engine.internal.memory;

/**
 * Rule for the heap size of a class. Returns the shallow size of an instance. Also passes the objects to which the
 * instance refers to the {@link ObjectGraphWalk}, which visits them later.
 */
@FunctionalInterface
interface SizeRule {
    long visit(Object object, ObjectGraphWalk walk);
}
