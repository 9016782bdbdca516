package dev.hearth.engine.internal.memory;

/**
 * Rule by which the heap size of a class's instances is estimated. It returns the shallow size of an instance. It also
 * passes the objects to which the instance refers to the {@link ObjectGraphWalk}, which visits them later.
 */
@FunctionalInterface
interface SizeRule {
    long visit(Object object, ObjectGraphWalk walk);
}
