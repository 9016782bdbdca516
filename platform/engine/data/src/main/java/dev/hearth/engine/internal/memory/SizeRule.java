package dev.hearth.engine.internal.memory;

/** Size rule of a class: returns the shallow size of an instance and pushes the objects it refers to onto the walk. */
@FunctionalInterface
interface SizeRule {
    long visit(Object object, ObjectGraphWalk walk);
}
