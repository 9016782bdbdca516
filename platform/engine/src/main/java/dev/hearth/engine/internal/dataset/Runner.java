package dev.hearth.engine.internal.dataset;

import dev.hearth.api.HearthContext;
import dev.hearth.api.JobFuture;
import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.serial.UserObjects;

/** What datasets need of the context that made them. */
public interface Runner {
    HearthContext context();

    UserObjects objects();

    int nextDataset();

    int nextShuffle();

    /** Lets what {@code shuffle} holds go once nothing can read {@code dataset} any more. */
    void watch(Object dataset, int shuffle);

    /** Has a dataset kept once it is computed, until it is given up or nothing can read it any more. */
    void keep(Object lineage, int dataset, String name, int partitions, StorageLevel level);

    /** Shows a dataset under a name. */
    void show(int dataset, String name);

    /** How a dataset is to be kept. */
    StorageLevel kept(int dataset);

    /** Drops what is kept of a dataset; {@code blocking} waits until it is gone. */
    void giveUp(int dataset, boolean blocking);

    /** Refuses code inside a task, which has no use for datasets. */
    void refuseTasks(String operation);

    /** Runs a job and waits for it on the calling thread. */
    <R> R run(Action<R> action);

    /** Runs a job without waiting. */
    <R> JobFuture<R> start(Action<R> action);
}
