package dev.hearth.shell.gogo.command;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.shell.gogo.answer.FieldList;
import dev.hearth.shell.gogo.answer.OutputValue;
import dev.hearth.shell.gogo.answer.Table;
import dev.hearth.shell.gogo.answer.Units;
import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.cluster.ClusterListing;
import dev.hearth.spi.cluster.DriverEntry;
import dev.hearth.spi.cluster.ExecutorEntry;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.WorkerEntry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Tables of what a cluster has and runs. Stateless. */
final class ClusterTables {
    private ClusterTables() {}

    static Table workers(ClusterListing<WorkerEntry> found) {
        Table.Builder table = Table.of(
                "worker", "address", "state", "cores", "memory", "resources", "heartbeat", "executors", "drivers");
        for (WorkerEntry worker : found.entries()) {
            table.row(
                    OutputValue.of(worker.id()),
                    OutputValue.of(worker.address()),
                    state(worker),
                    OutputValue.of(ratio(text(worker.coresUsed()), text(worker.cores())))
                            .field("coresUsed", OutputValue.of(worker.coresUsed()))
                            .field("cores", OutputValue.of(worker.cores())),
                    memory(worker.memoryUsedMebibytes(), worker.memoryMebibytes()),
                    resources(worker),
                    age(worker.heartbeatAgeMillis()),
                    OutputValue.of(worker.executors()),
                    OutputValue.of(worker.drivers()));
        }
        return built(table, found, "no worker");
    }

    private static OutputValue memory(OptionalLong used, OptionalLong all) {
        return OutputValue.of(ratio(
                        Units.mebibytes(used).shown(), Units.mebibytes(all).shown()))
                .field("memoryUsedMebibytes", OutputValue.of(used))
                .field("memoryMebibytes", OutputValue.of(all));
    }

    private static OutputValue age(OptionalLong millis) {
        OutputValue age = Units.millis(millis);
        return age.shownAs(age.shown().isEmpty() ? "" : age.shown() + " ago")
                .field("heartbeatAgeMillis", age)
                .passing();
    }

    private static OutputValue resources(WorkerEntry worker) {
        Map<String, ResourceInformation> used = ResourceInformation.byName(worker.resourcesUsed());
        String shown = worker.resources().stream()
                .map(offered -> offered.name() + " "
                        + Optional.ofNullable(used.get(offered.name()))
                                .map(held -> held.addresses().size())
                                .orElse(0)
                        + "/" + offered.addresses().size())
                .collect(Collectors.joining(", "));
        return OutputValue.of(shown)
                .field("resources", addresses(worker.resources()))
                .field("resourcesUsed", addresses(worker.resourcesUsed()));
    }

    private static OutputValue addresses(List<ResourceInformation> resources) {
        return OutputValue.objects(resources.stream()
                .collect(Collectors.toMap(
                        ResourceInformation::name,
                        resource -> OutputValue.of(resource.addresses()),
                        (one, other) -> one,
                        LinkedHashMap::new)));
    }

    private static OutputValue state(WorkerEntry worker) {
        String hindrance = worker.attributes().getOrDefault("hindrance", "");
        OutputValue state = state(worker.state());
        return hindrance.isEmpty()
                ? state
                : state.shownAs(state.shown() + " (" + hindrance + ")")
                        .field("state", state)
                        .field("hindrance", OutputValue.of(hindrance));
    }

    private static OutputValue state(WorkerEntry.State state) {
        OutputValue value = OutputValue.of(lower(state));
        return switch (state) {
            case ALIVE -> value.good();
            case DEAD -> value.bad();
            case DECOMMISSIONED, UNKNOWN -> value;
        };
    }

    static Table applications(ClusterListing<ApplicationEntry> found) {
        Table.Builder table = Table.of(
                "application",
                "name",
                "user",
                "state",
                "cores",
                "memory",
                "executors",
                "submitted",
                "duration",
                "driver",
                "message");
        for (ApplicationEntry application : found.entries()) {
            table.row(
                    OutputValue.of(application.id().value()),
                    OutputValue.of(application.name()),
                    OutputValue.of(application.user()),
                    state(application.state()),
                    OutputValue.of(application.cores()),
                    named("memoryPerExecutorMebibytes", Units.mebibytes(application.memoryPerExecutorMebibytes())),
                    OutputValue.of(application.executors()),
                    named("submittedMillis", Units.time(application.submittedMillis()))
                            .field("endedMillis", OutputValue.of(application.endedMillis())),
                    duration(application),
                    driver(application),
                    OutputValue.of(application.message()));
        }
        return built(table, found, "no application");
    }

    /** The facts about one application, one per line. */
    static FieldList application(ApplicationEntry application) {
        FieldList.Builder facts = FieldList.begin()
                .fact("application", OutputValue.of(application.id().value()))
                .fact("name", OutputValue.of(application.name()))
                .fact("user", OutputValue.of(application.user()))
                .fact("state", state(application.state()))
                .fact("cores", OutputValue.of(application.cores()))
                .fact(
                        "memory",
                        named("memoryPerExecutorMebibytes", Units.mebibytes(application.memoryPerExecutorMebibytes())))
                .fact("executors", OutputValue.of(application.executors()))
                .fact("submitted", named("submittedMillis", Units.time(application.submittedMillis())))
                .fact("ended", named("endedMillis", Units.time(application.endedMillis())))
                .fact("duration", duration(application))
                .fact("driver", driver(application));
        if (!application.message().isEmpty()) {
            facts.fact("message", OutputValue.of(application.message()));
        }
        application.attributes().forEach((name, value) -> facts.fact(name, OutputValue.of(value)));
        return facts.build();
    }

    /** {@code all} says that ended executors were asked for, too. */
    static Table executors(ClusterListing<ExecutorEntry> found, boolean all) {
        Table.Builder table = Table.of(
                "application",
                "executor",
                "worker",
                "host",
                "state",
                "cores",
                "memory",
                "resources",
                "started",
                "exitStatus",
                "log",
                "message");
        for (ExecutorEntry executor : found.entries()) {
            table.row(
                    OutputValue.of(executor.application().value()),
                    OutputValue.of(executor.id().value()),
                    OutputValue.of(executor.worker()),
                    OutputValue.of(executor.host()),
                    state(executor.state()),
                    OutputValue.of(executor.cores()),
                    named("memoryMebibytes", Units.mebibytes(executor.memoryMebibytes())),
                    OutputValue.of(addresses(executor.resources()).shown())
                            .field("resources", addresses(executor.resources())),
                    named("startedMillis", Units.time(executor.startedMillis()))
                            .field("endedMillis", OutputValue.of(executor.endedMillis())),
                    OutputValue.of(executor.exitStatus()),
                    OutputValue.of(executor.logs()
                                    .getOrDefault(
                                            "stderr",
                                            executor.logs().values().stream()
                                                    .findFirst()
                                                    .orElse("")))
                            .field("logs", OutputValue.of(executor.logs())),
                    OutputValue.of(executor.message()));
        }
        return built(table, found, all ? "no executor" : "no executor runs; --all lists ended ones");
    }

    static Table drivers(ClusterListing<DriverEntry> found) {
        Table.Builder table = Table.of(
                "driver",
                "name",
                "state",
                "attempt",
                "worker",
                "host",
                "mainClass",
                "cores",
                "memory",
                "submitted",
                "started",
                "ended",
                "exitStatus",
                "message");
        for (DriverEntry driver : found.entries()) {
            table.row(
                    OutputValue.of(driver.id().value()),
                    OutputValue.of(driver.name()),
                    state(driver.state()),
                    attempt(driver),
                    OutputValue.of(driver.worker()),
                    OutputValue.of(driver.host()),
                    OutputValue.of(driver.mainClass()),
                    OutputValue.of(driver.cores()),
                    named("memoryMebibytes", Units.mebibytes(driver.memoryMebibytes())),
                    named("submittedMillis", Units.time(driver.submittedMillis())),
                    named("startedMillis", Units.time(driver.startedMillis())),
                    named("endedMillis", Units.time(driver.endedMillis())),
                    OutputValue.of(driver.exitStatus()),
                    OutputValue.of(driver.message()));
        }
        return built(table, found, "no driver");
    }

    private static Table built(Table.Builder table, ClusterListing<?> found, String whenEmpty) {
        return found.known() ? table.build(whenEmpty) : table.unknown(found.remark());
    }

    private static OutputValue named(String field, OutputValue value) {
        return value.field(field, value);
    }

    private static OutputValue duration(ApplicationEntry application) {
        OutputValue value = named("durationMillis", Units.millis(application.durationMillis()));
        return application.state().isFinal() ? value : value.passing();
    }

    private static OutputValue driver(ApplicationEntry application) {
        String submission = application.submission().map(id -> id.value()).orElse("");
        return OutputValue.of(submission.isEmpty() ? application.driver() : submission)
                .field("driverAddress", OutputValue.of(application.driver()))
                .field("driver", submission.isEmpty() ? OutputValue.unknown() : OutputValue.of(submission));
    }

    /** Number of starts of a driver, where the cluster counts them. */
    private static OutputValue attempt(DriverEntry driver) {
        String number = driver.attributes().getOrDefault("attempt", "");
        return number.isEmpty() ? OutputValue.unknown() : OutputValue.of(Integer.parseInt(number));
    }

    private static OutputValue state(ApplicationEntry.State state) {
        OutputValue value = OutputValue.of(lower(state));
        return switch (state) {
            case FINISHED -> value.good();
            case FAILED, KILLED -> value.bad();
            case WAITING, RUNNING, UNKNOWN -> value;
        };
    }

    private static OutputValue state(ExecutorEntry.State state) {
        OutputValue value = OutputValue.of(lower(state));
        return switch (state) {
            case RUNNING -> value.good();
            case FAILED, LOST -> value.bad();
            case LAUNCHING, KILLED, EXITED, DECOMMISSIONED, UNKNOWN -> value;
        };
    }

    static OutputValue state(SubmissionState state) {
        OutputValue value = OutputValue.of(lower(state));
        return switch (state) {
            case FAILED, ERROR, KILLED -> value.bad();
            case FINISHED -> value.good();
            case SUBMITTED, RUNNING, RELAUNCHING, UNKNOWN -> value;
        };
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static String ratio(String used, String all) {
        return used.isEmpty() ? all : used + "/" + all;
    }

    private static String text(OptionalInt number) {
        return OutputValue.of(number).shown();
    }
}
