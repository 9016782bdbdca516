package dev.hearth.standalone.internal.worker;

/** Numbers about a worker: its executors, and the cores and the memory in MiB that it has and that are in use. Immutable. */
public record WorkerFigures(int executors, int cores, int coresUsed, int memory, int memoryUsed) {}
