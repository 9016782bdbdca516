package dev.hearth.yarn.internal.hadoop;

import dev.hearth.yarn.internal.line.ContainerAsk;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ExecutionTypeRequest;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ResourceSizing;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.api.resource.PlacementConstraint;
import org.apache.hadoop.yarn.util.constraint.PlacementConstraintParseException;
import org.apache.hadoop.yarn.util.constraint.PlacementConstraintParser;

/**
 * Open requests with a placement constraint, as YARN's scheduler takes them: one request for each group, with the number of
 * its containers. Confined to the line thread.
 */
public final class ConstrainedRequests {
    /** Allocation tag of executors, by which constraints name them. */
    static final Set<String> TAGS = Set.of("hearth-executor");

    private final Map<Long, Group> groups = new LinkedHashMap<>();
    private final Set<Long> changed = new LinkedHashSet<>();

    private record Group(ContainerAsk example, int open) {}

    /** The problem of a text that is no constraint; empty if it is one. */
    public static Optional<String> problem(String constraint) {
        try {
            parse(constraint);
            return Optional.empty();
        } catch (PlacementConstraintParseException | IllegalArgumentException malformed) {
            return Optional.of("hearth.yarn.executor.placementConstraint=" + constraint + ": "
                    + String.valueOf(malformed.getMessage()).strip()
                    + " (expected: YARN's text form, such as notin,node,hearth-executor)");
        }
    }

    private static PlacementConstraint parse(String constraint) throws PlacementConstraintParseException {
        return PlacementConstraintParser.parseExpression(constraint).build();
    }

    static boolean contain(ContainerAsk ask) {
        return !ask.place().constraint().isEmpty();
    }

    void add(ContainerAsk ask) {
        change(ask, 1);
        changed.add(ask.group());
    }

    void cancel(ContainerAsk ask) {
        change(ask, -1);
        changed.add(ask.group());
    }

    /** Handles that the ResourceManager has granted a container, and so counts one less itself. */
    void granted(ContainerAsk ask) {
        change(ask, -1);
    }

    private void change(ContainerAsk ask, int difference) {
        groups.merge(
                ask.group(), new Group(ask, difference), (before, same) -> new Group(ask, before.open + difference));
    }

    /** Takes the requests whose numbers have changed since the last time. */
    List<SchedulingRequest> take() {
        List<SchedulingRequest> requests = new ArrayList<>();
        for (long number : changed) {
            Group group = groups.get(number);
            requests.add(request(group.example, group.open));
            if (group.open == 0) {
                groups.remove(number);
            }
        }
        changed.clear();
        return requests;
    }

    private static SchedulingRequest request(ContainerAsk example, int open) {
        try {
            return SchedulingRequest.newBuilder()
                    .allocationRequestId(example.group())
                    .priority(Priority.newInstance(example.priority()))
                    .executionType(ExecutionTypeRequest.newInstance())
                    .allocationTags(TAGS)
                    .resourceSizing(ResourceSizing.newInstance(open, HadoopRecords.resource(example.capability())))
                    .placementConstraintExpression(parse(example.place().constraint()))
                    .build();
        } catch (PlacementConstraintParseException malformed) { // it was checked before the application was submitted
            throw new IllegalStateException(
                    "placement constraint " + example.place().constraint(), malformed);
        }
    }
}
