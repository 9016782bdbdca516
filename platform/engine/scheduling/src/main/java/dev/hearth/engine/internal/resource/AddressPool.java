package dev.hearth.engine.internal.resource;

import dev.hearth.api.task.ResourceInformation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Addresses of the resources of one executor, with the number of further tasks that each can serve. Owned by its
 * executor in the task scheduler.
 * <p>Invariant: the tasks that hold a share of an address are never more than may share it, and each gives its shares
 * back exactly once.
 */
public final class AddressPool {
    private final List<Kind> kinds = new ArrayList<>();

    /** Addresses of one resource. {@code perTask} is the number of addresses of which each task has a share. */
    private static final class Kind {
        private final String name;
        private final List<String> addresses;
        private final int perTask;
        private final int sharesMax;
        private final int[] free; // shares, by address

        Kind(String name, List<String> addresses, double amount) {
            this.name = name;
            this.addresses = addresses;
            this.perTask = TaskNeeds.whole(amount);
            this.sharesMax = TaskNeeds.shares(amount);
            this.free = new int[addresses.size()];
            Arrays.fill(free, sharesMax);
        }

        /** Takes a share of each of {@code perTask} addresses, of the least used ones first. */
        int[] take() {
            int[] taken = new int[perTask];
            Arrays.fill(taken, -1);
            for (int i = 0; i < perTask; i++) {
                int best = -1;
                for (int at = 0; at < free.length; at++) {
                    if (free[at] > 0 && (best < 0 || free[at] > free[best]) && !contains(taken, at)) {
                        best = at;
                    }
                }
                if (best < 0) {
                    throw new IllegalStateException("resource " + name + ": no free address of " + addresses
                            + " (expected: one for each task that a slot admits)");
                }
                taken[i] = best;
            }
            for (int at : taken) {
                free[at]--;
            }
            return taken;
        }

        private static boolean contains(int[] taken, int address) {
            for (int at : taken) {
                if (at == address) {
                    return true;
                }
            }
            return false;
        }

        void giveBack(int[] taken) {
            for (int at : taken) {
                if (free[at] == sharesMax) {
                    throw new IllegalStateException("resource " + name + ": address " + addresses.get(at)
                            + " is given back twice (expected: once)");
                }
                free[at]++;
            }
        }

        ResourceInformation information(int[] taken) {
            return new ResourceInformation(
                    name, Arrays.stream(taken).mapToObj(addresses::get).toList());
        }
    }

    /** Shares that one task holds, until {@link AddressPool#giveBack}. */
    public static final class Lease {
        private final int[][] taken;
        private final Map<String, ResourceInformation> resources;
        private boolean over;

        private Lease(int[][] taken, Map<String, ResourceInformation> resources) {
            this.taken = taken;
            this.resources = resources;
        }

        /** The addresses that the task may use, by the names of their resources. */
        public Map<String, ResourceInformation> resources() {
            return resources;
        }
    }

    /** Creates the pool of an executor that has {@code resources}, for tasks with {@code needs}. */
    public AddressPool(TaskNeeds needs, Map<String, ResourceInformation> resources) {
        needs.amounts().forEach((name, amount) -> {
            ResourceInformation has = resources.get(name);
            kinds.add(new Kind(name, has == null ? List.of() : has.addresses(), amount));
        });
    }

    /** Takes the addresses of one more task. There must be enough, as there are while a slot is free. */
    public Lease take() {
        int[][] taken = new int[kinds.size()][];
        Map<String, ResourceInformation> resources = new LinkedHashMap<>();
        for (int i = 0; i < taken.length; i++) {
            Kind kind = kinds.get(i);
            taken[i] = kind.take();
            resources.put(kind.name, kind.information(taken[i]));
        }
        return new Lease(taken, resources);
    }

    /** Takes back what a task held. Fails if it was given back before. */
    public void giveBack(Lease lease) {
        if (lease.over) {
            throw new IllegalStateException("addresses " + lease.resources + ": given back twice (expected: once)");
        }
        lease.over = true;
        for (int i = 0; i < lease.taken.length; i++) {
            kinds.get(i).giveBack(lease.taken[i]);
        }
    }
}
