package dev.hearth.standalone.internal.master;

/**
 * Numbers about a master: its registered workers and those that leave or that it shows as dead, its applications and those that want
 * executors and have none, and its drivers that wait or run. Immutable.
 */
public record MasterFigures(
        int workersAlive, int workersDead, int applications, int applicationsWaiting, int drivers, int driversRunning) {
    public static final MasterFigures NONE = new MasterFigures(0, 0, 0, 0, 0, 0);
}
