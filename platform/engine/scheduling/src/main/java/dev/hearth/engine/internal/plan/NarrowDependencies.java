package dev.hearth.engine.internal.plan;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Narrow dependencies of a source: the partitions of other branches from which each of its partitions is computed.
 * {@code branches} are indices into {@link Pipeline#branches}. {@link NarrowDependencyKind} explains the
 * {@code numbers} for each kind. Immutable.
 */
public record NarrowDependencies(NarrowDependencyKind kind, List<Integer> branches, List<Integer> numbers) {
    public static final NarrowDependencies NONE =
            new NarrowDependencies(NarrowDependencyKind.NONE, List.of(), List.of());

    /**
     * One partition of one branch, by its index within the branch. {@code branch} is the index of the branch in
     * {@link Pipeline#branches}.
     */
    public record BranchPartition(int branch, int partition) {}

    public NarrowDependencies {
        branches = List.copyOf(branches);
        numbers = List.copyOf(numbers);
    }

    /**
     * The partitions of other branches from which {@code partition} is computed, in the order in which a task reads
     * them.
     */
    public List<BranchPartition> of(int partition) {
        return switch (kind) {
            case NONE -> List.of();
            case CONCATENATED -> List.of(concatenated(partition));
            case ONE_TO_ONE ->
                branches.stream()
                        .map(branch -> new BranchPartition(branch, partition))
                        .toList();
            case COALESCED -> coalesced(partition);
            case CARTESIAN -> {
                int second = numbers.get(0);
                yield List.of(
                        new BranchPartition(branches.get(0), partition / second),
                        new BranchPartition(branches.get(1), partition % second));
            }
            case SELECTED -> List.of(new BranchPartition(branches.get(0), numbers.get(partition)));
        };
    }

    private BranchPartition concatenated(int partition) {
        int left = partition;
        for (int i = 0; i < numbers.size(); i++) {
            if (left < numbers.get(i)) {
                return new BranchPartition(branches.get(i), left);
            }
            left -= numbers.get(i);
        }
        throw new IllegalArgumentException("partition " + partition + ": not one of " + numbers);
    }

    private List<BranchPartition> coalesced(int partition) {
        long before = numbers.get(0);
        long after = numbers.get(1);
        return IntStream.range((int) (partition * before / after), (int) ((partition + 1) * before / after))
                .mapToObj(part -> new BranchPartition(branches.get(0), part))
                .toList();
    }
}
