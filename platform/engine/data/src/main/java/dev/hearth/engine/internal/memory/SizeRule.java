package dev.hearth.engine.internal.memory;

/** How objects of a class are sized: tells the bytes of one by itself, and hands what it refers to to the walk. */
@FunctionalInterface
interface SizeRule {
    long visit(Object object, ObjectGraphWalk walk);
}
