package dev.hearth.standalone.internal.master;

import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.error.Quantity;
import dev.hearth.standalone.internal.master.MasterLog.Cause;
import dev.hearth.standalone.internal.protocol.DriverStatus.DriverState;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ExecutorEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerRegistered;
import java.util.Set;
import java.util.stream.Collectors;

/** Log lines about the ends of applications, drivers, executors and workers. Stateless. */
final class MasterNotes {
    /** States of drivers whose end is no fault. */
    private static final Set<DriverState> IN_ORDER = Set.of(DriverState.FINISHED, DriverState.KILLED);

    private MasterNotes() {}

    /** {@code why} is empty if the driver has reported the end; an end for another reason than a kill is a warning. */
    static MasterEffect applicationEnded(
            ApplicationRecord application, ApplicationEntry.State how, String why, long now) {
        boolean warning = how == ApplicationEntry.State.FAILED && !why.isEmpty();
        String result = how + (why.isEmpty() ? "" : ", " + why);
        return new MasterEffect.Note(Cause.APPLICATION, warning, application.summary(result, now));
    }

    static MasterEffect profilesRefused(ApplicationRecord application) {
        String text =
                "application " + application.id() + " (" + application.request().name()
                        + "): executors of a profile without cores, memory or a number of its own (expected: at least 1 core and"
                        + " 1 MiB, and at most 1000 profiles); it gets none of them";
        return new MasterEffect.Note(Cause.APPLICATION, true, text);
    }

    static MasterEffect driverEnded(DriverRecord driver, DriverState how, String why) {
        String text = "driver " + driver.id() + " (" + driver.spec().name() + ") is " + how + ": " + why;
        return new MasterEffect.Note(Cause.DRIVER, !IN_ORDER.contains(how), text);
    }

    static MasterEffect driverRestarts(DriverRecord driver) {
        String text = "driver " + driver.id() + " (" + driver.spec().name() + ") is " + driver.state() + ": "
                + driver.status().message();
        return new MasterEffect.Note(Cause.DRIVER, true, text);
    }

    /** {@code ordered} says that the master has stopped the executor, or that its application has ended. */
    static MasterEffect executorEnded(ExecutorEnded message, boolean ordered) {
        String text = "executor " + message.executor() + " of " + message.application()
                + (ordered ? " has ended as ordered" : " has ended: " + message.message());
        return new MasterEffect.Note(Cause.EXECUTOR, !ordered, text);
    }

    static MasterEffect workerAway(WorkerRecord worker, String why) {
        String text = "worker " + worker.id() + " is away: " + why + "; what runs on it goes on";
        return new MasterEffect.Note(Cause.WORKER, true, text);
    }

    static MasterEffect applicationAway(ApplicationRecord application, String why) {
        String text = "application " + application.id() + " ("
                + application.request().name() + ") is away: " + why + "; it keeps its executors for some time";
        return new MasterEffect.Note(Cause.APPLICATION, true, text);
    }

    static MasterEffect workerLost(String why, long drivers, long executors) {
        return new MasterEffect.Note(
                Cause.WORKER,
                true,
                why + "; with it " + Quantity.of(drivers, "driver") + " and " + Quantity.of(executors, "executor"));
    }

    /** Writes to {@code log} that a worker is registered, or why it is not. */
    static void registered(MasterLog log, RegisterWorker message, WorkerRegistered answer) {
        if (answer.refusal().isEmpty()) {
            log.info(
                    Cause.WORKER,
                    "worker {} at {}:{} is registered: {}, {} MiB{}",
                    message.worker(),
                    message.host(),
                    message.port(),
                    Quantity.of(message.cores(), "core"),
                    message.memoryMebibytes(),
                    message.resources().stream()
                            .map(resource -> ", " + resource.name() + " " + resource.addresses())
                            .collect(Collectors.joining()));
        } else {
            log.info(
                    Cause.WORKER_REFUSED,
                    "worker {} at {}:{} is refused: {}",
                    message.worker(),
                    message.host(),
                    message.port(),
                    answer.refusal());
        }
    }
}
