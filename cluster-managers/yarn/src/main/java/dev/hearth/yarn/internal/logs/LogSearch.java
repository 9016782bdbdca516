package dev.hearth.yarn.internal.logs;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.LogSource;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.yarn.internal.cluster.ContainerLogs;
import dev.hearth.yarn.internal.cluster.ContainerLogs.LoggedApplication;
import dev.hearth.yarn.internal.cluster.ContainerLogs.Place;
import dev.hearth.yarn.internal.launch.ContainerCommand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Search for the container of a driver or an executor. Its calls block. Immutable. */
record LogSearch(ContainerLogs logs, String application, LogSource source, OptionalInt attempt) {
    private static final Pattern CONTAINER = Pattern.compile("container_(?:e\\d+_)?\\d+_\\d+_(\\d+)_(\\d+)");
    private static final Set<String> COLLECTING = Set.of("NOT_START", "RUNNING", "RUNNING_WITH_FAILURE");

    /** Container that was found: at a node, or, without one, among the collected logs of {@code user}. */
    record Found(String container, Optional<Place> node, String user) {}

    /** Finds the container; fails with {@code LOG_UNKNOWN}, or because logs are still collected. */
    Found find() throws IOException {
        Optional<LoggedApplication> known = logs.application(application);
        if (known.isPresent() && !known.get().hasEnded()) {
            return living(known.get());
        }
        String user = known.map(LoggedApplication::user).orElseGet(logs::user);
        Map<String, Set<String>> collected = logs.collected(application, user);
        Optional<String> container = collectedContainer(collected);
        if (container.isPresent()) {
            return new Found(container.get(), Optional.empty(), user);
        }
        String collection = known.map(LoggedApplication::collection).orElse("");
        if (COLLECTING.contains(collection)) {
            throw new NotYetCollected("log of " + source + ": nodes still collect the logs of " + application
                    + " (expected: done); ask again later");
        }
        throw missing(
                collected.isEmpty()
                        ? nothingCollected(collection, user)
                        : "not among the " + collected.size() + " containers whose logs were collected (expected: "
                                + "an executor of attempt " + attemptText() + ")");
    }

    private String attemptText() {
        return attempt.isPresent() ? String.valueOf(attempt.getAsInt()) : "the last";
    }

    private String nothingCollected(String collection, String user) {
        return collection.equals("DISABLED")
                ? "the cluster does not collect logs (expected: yarn.log-aggregation-enable=true); they are on the disks of"
                        + " its nodes, in the directories yarn.nodemanager.log-dirs"
                : "no logs of " + application + " were collected for user " + user
                        + " (expected: an application of the last yarn.log-aggregation.retain-seconds, of this user)"
                        + (collection.isEmpty()
                                ? "; the ResourceManager does not know it"
                                : "; YARN says " + collection);
    }

    private HearthException missing(String found) {
        return ErrorCode.LOG_UNKNOWN.failure("log of " + source + ": " + found);
    }

    private Found living(LoggedApplication running) throws IOException {
        int wanted = attempt.orElse(running.attempt());
        if (source.application().isEmpty()) {
            Place master = logs.master(application, wanted)
                    .orElseThrow(() -> missing(
                            "its driver has no container in attempt " + wanted + " (expected: one that has started)"));
            return new Found(master.container(), Optional.of(master), running.user());
        }
        String mark = ContainerCommand.mark(new ExecutorId(source.process()));
        for (Place place : logs.living(application, wanted)) {
            if (place.container().equals(source.process())
                    || logs.onNode(place, mark, 0, 0, 1).isPresent()) {
                return new Found(place.container(), Optional.of(place), running.user());
            }
        }
        throw missing("it does not run (expected: one that runs, or one of an application that has ended, as logs are"
                + " collected then)" + (running.page().isEmpty() ? "" : "; links are at " + running.page()));
    }

    private Optional<String> collectedContainer(Map<String, Set<String>> collected) {
        List<String> fitting = new ArrayList<>();
        int last =
                collected.keySet().stream().mapToInt(LogSearch::attemptOf).max().orElse(0);
        int wanted = attempt.orElse(last);
        collected.forEach((container, names) -> {
            boolean isMeant = source.application().isEmpty()
                    ? attemptOf(container) == wanted
                    : container.equals(source.process())
                            || (names.contains(ContainerCommand.mark(new ExecutorId(source.process())))
                                    && (attempt.isEmpty() || attemptOf(container) == wanted));
            if (isMeant) {
                fitting.add(container);
            }
        });
        // the driver has the first container of its attempt; of executors with one id, that of the last attempt counts
        return source.application().isEmpty()
                ? fitting.stream().min(Comparator.comparingLong(LogSearch::numberOf))
                : fitting.stream().max(Comparator.comparingInt(LogSearch::attemptOf));
    }

    private static int attemptOf(String container) {
        Matcher parts = CONTAINER.matcher(container);
        return parts.matches() ? Integer.parseInt(parts.group(1)) : 0;
    }

    private static long numberOf(String container) {
        Matcher parts = CONTAINER.matcher(container);
        return parts.matches() ? Long.parseLong(parts.group(2)) : Long.MAX_VALUE;
    }
}
