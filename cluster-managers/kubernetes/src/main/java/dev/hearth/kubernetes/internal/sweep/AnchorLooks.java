package dev.hearth.kubernetes.internal.sweep;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hearth.kubernetes.internal.anchor.AnchorMarks;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.json.Json;
import dev.hearth.kubernetes.internal.pod.PodLabels;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Decisions about anchors of drivers outside the cluster. Pure. A sweep notes in an annotation which counter it has seen, and
 * when by the API server's clock. An anchor whose counter is the same at a later look belongs to a driver that has died,
 * unless executors of it run: those of a dead driver end by themselves within a minute.
 */
final class AnchorLooks {
    /** Time between two looks, as a multiple of the age of other secrets: twenty minutes, or four renewals. */
    static final int STILL_AGES = 2;
    /** Anchors that one run notes, so that a run stays short. */
    static final int LOOKS_MAX = 100;

    private static final Pattern LOOK = Pattern.compile("(\\d{1,18})@(\\d{1,18})");

    private AnchorLooks() {}

    /** State of an anchor at a look. */
    enum Sight {
        /** It is new, or its counter has risen since the last look, or the server's clock went back. */
        ALIVE,
        /** Its counter stands still, but not for long enough. */
        WAITING,
        /** Its counter has stood still for long. */
        STILL
    }

    static Sight sight(ObjectFacts anchor, long serverSeconds, Duration age) {
        Matcher look = LOOK.matcher(anchor.annotation(AnchorMarks.LOOKED));
        if (serverSeconds <= 0) {
            return Sight.WAITING; // the answer has no time of the server
        }
        if (!look.matches() || !look.group(1).equals(anchor.annotation(AnchorMarks.RENEWED))) {
            return Sight.ALIVE;
        }
        long passed = serverSeconds - Long.parseLong(look.group(2));
        if (passed < 0) {
            return Sight.ALIVE;
        }
        return passed >= age.toSeconds() * STILL_AGES ? Sight.STILL : Sight.WAITING;
    }

    /** The anchors to note now: those that were never looked at first, then those of the oldest looks. */
    static List<ObjectFacts> toNote(List<ObjectFacts> anchors, long serverSeconds, Duration age) {
        return anchors.stream()
                .filter(anchor -> sight(anchor, serverSeconds, age) == Sight.ALIVE)
                .sorted(Comparator.comparingLong(AnchorLooks::lookedSeconds))
                .limit(LOOKS_MAX)
                .toList();
    }

    /** The anchors whose counter has stood still for long, as many as one run deletes. */
    static List<ObjectFacts> still(List<ObjectFacts> anchors, long serverSeconds, Duration age) {
        return anchors.stream()
                .filter(anchor -> sight(anchor, serverSeconds, age) == Sight.STILL)
                .limit(Sweep.SECRETS_MAX)
                .toList();
    }

    /** Whether an executor of {@code anchor}'s application runs, with the executors' pods {@code pods}. */
    static boolean isInUse(ObjectFacts anchor, List<ObjectFacts> pods) {
        String application = anchor.label(PodLabels.APPLICATION);
        return pods.stream()
                .filter(pod -> pod.label(PodLabels.APPLICATION).equals(application))
                .anyMatch(pod -> pod.requirePod().phase().equals("Running")
                        && !pod.requirePod().deleting());
    }

    /** Selector of the executors' pods of {@code anchors}. */
    static String executors(List<ObjectFacts> anchors) {
        Set<String> applications = anchors.stream()
                .map(anchor -> anchor.label(PodLabels.APPLICATION))
                .collect(Collectors.toCollection(TreeSet::new));
        return PodLabels.ROLE + "=executor," + PodLabels.APPLICATION + " in (" + String.join(",", applications) + ")";
    }

    /** Merge patch that notes the counter of {@code anchor}; refused if the anchor has changed. */
    static String note(ObjectFacts anchor, long serverSeconds) {
        ObjectNode patch = Json.object();
        patch.putObject("metadata")
                .put("resourceVersion", anchor.version())
                .putObject("annotations")
                .put(AnchorMarks.LOOKED, anchor.annotation(AnchorMarks.RENEWED) + "@" + serverSeconds);
        return Json.text(patch);
    }

    private static long lookedSeconds(ObjectFacts anchor) {
        Matcher look = LOOK.matcher(anchor.annotation(AnchorMarks.LOOKED));
        return look.matches() ? Long.parseLong(look.group(2)) : 0;
    }
}
