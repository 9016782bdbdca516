package dev.hearth.standalone.internal.master;

import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Drivers, or demands for executors, that wait for room on workers, in groups of equal needs. A group for which no worker
 * has room is closed until a worker with room for it gains something; a member that could not use the room is not asked
 * again until then, unless it is added again. Owned by the class that places the members.
 */
final class WaitingLine<T> {
    private final Comparator<T> order;
    private final Function<T, ProcessNeeds> needs;
    private final Map<ProcessNeeds, Group<T>> groups = new LinkedHashMap<>();
    private final Set<Group<T>> open = new LinkedHashSet<>(); // those with members to ask

    /** Creates an empty line whose members are asked in the order {@code order}, in which no two are equal. */
    WaitingLine(Comparator<T> order, Function<T, ProcessNeeds> needs) {
        this.order = order;
        this.needs = needs;
    }

    /** Result of offering room to a member. */
    enum Outcome {
        /** The member has all that it wanted, and leaves the line. */
        LEAVES,
        /** The member waits on, and others of equal needs may have more luck. */
        WAITS,
        /** No worker has room for the member, nor for others of equal needs. */
        NO_ROOM,
        /** Nothing is to be placed any more; all members that were not asked wait for the next offer. */
        ENOUGH
    }

    private static final class Group<T> {
        private final NavigableSet<T> members;
        private final NavigableSet<T> fresh; // not asked yet
        private boolean closed;
        private boolean allToAsk;

        Group(Comparator<T> order) {
            members = new TreeSet<>(order);
            fresh = new TreeSet<>(order);
        }

        private NavigableSet<T> toAsk() {
            return allToAsk ? members : fresh;
        }
    }

    /** Adds a member, or has a member that waits asked again because its wish has changed. */
    void add(T member) {
        Group<T> group = groups.computeIfAbsent(needs.apply(member), first -> new Group<>(order));
        group.members.add(member);
        if (!group.closed) {
            group.fresh.add(member);
            open.add(group);
        }
    }

    /** Removes a member, if it waits. */
    void remove(T member) {
        Group<T> group = groups.get(needs.apply(member));
        if (group != null) {
            remove(group, member);
        }
    }

    private void remove(Group<T> group, T member) {
        group.members.remove(member);
        group.fresh.remove(member);
        if (group.toAsk().isEmpty()) {
            open.remove(group);
        }
        if (group.members.isEmpty()) {
            groups.remove(needs.apply(member));
        }
    }

    /** A worker has more free than before: opens the groups for which it has room. */
    void gained(WorkerRecord worker) {
        groups.forEach((what, group) -> {
            if (!group.allToAsk && what.fit(worker)) {
                group.closed = false;
                group.allToAsk = true;
                open.add(group);
            }
        });
    }

    /** Offers room to the members of open groups, in order. */
    void offer(Function<T, Outcome> place) {
        record Head<T>(T member, Group<T> group) {}
        if (open.isEmpty()) {
            return;
        }
        PriorityQueue<Head<T>> heads = new PriorityQueue<>((one, other) -> order.compare(one.member(), other.member()));
        List.copyOf(open).forEach(group -> heads.add(new Head<>(group.toAsk().first(), group)));
        while (!heads.isEmpty()) {
            Head<T> head = heads.remove();
            Group<T> group = head.group();
            T next = group.toAsk().higher(head.member());
            Outcome outcome = place.apply(head.member());
            if (outcome == Outcome.ENOUGH) {
                return;
            }
            if (outcome == Outcome.LEAVES) {
                remove(group, head.member());
            }
            if (outcome != Outcome.NO_ROOM && next != null) {
                heads.add(new Head<>(next, group));
            } else {
                asked(group, outcome == Outcome.NO_ROOM);
            }
        }
    }

    private void asked(Group<T> group, boolean noRoom) {
        group.closed = noRoom;
        group.allToAsk = false;
        group.fresh.clear();
        open.remove(group);
    }

    /** The members with {@code what} as needs that wait, in order. */
    List<T> waiting(ProcessNeeds what) {
        @Nullable Group<T> group = groups.get(what);
        return group == null ? List.of() : List.copyOf(group.members);
    }

    /** The different needs of members. */
    Set<ProcessNeeds> needs() {
        return Collections.unmodifiableSet(groups.keySet());
    }
}
