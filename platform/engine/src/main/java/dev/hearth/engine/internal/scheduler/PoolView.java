package dev.hearth.engine.internal.scheduler;

/** A pool at one moment, for people to see. */
public record PoolView(PoolSpec pool, int activeSets, int runningTasks) {}
