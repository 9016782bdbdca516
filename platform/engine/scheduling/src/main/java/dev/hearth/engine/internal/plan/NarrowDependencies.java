package dev.hearth.engine.internal.plan;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Which partitions of which branches of its stage a source reads, by its own partition. Immutable. {@code branches} are places
 * in {@link Pipeline#branches}; what {@code numbers} are, the kind says.
 */
public record NarrowDependencies(NarrowDependencyKind kind, List<Integer> branches, List<Integer> numbers) {
    public static final NarrowDependencies NONE =
            new NarrowDependencies(NarrowDependencyKind.NONE, List.of(), List.of());

    /** One partition of one branch. */
    public record BranchPartition(int branch, int partition) {}

    public NarrowDependencies {
        branches = List.copyOf(branches);
        numbers = List.copyOf(numbers);
    }

    /** What {@code partition} is made of, in the order in which it is read. */
    public List<BranchPartition> of(int partition) {
        return switch (kind) {
            case NONE -> List.of();
            case IN_TURN -> List.of(inTurn(partition));
            case ALIGNED ->
                branches.stream()
                        .map(branch -> new BranchPartition(branch, partition))
                        .toList();
            case NEIGHBOURS -> neighbours(partition);
            case CROSSED -> {
                int second = numbers.get(0);
                yield List.of(
                        new BranchPartition(branches.get(0), partition / second),
                        new BranchPartition(branches.get(1), partition % second));
            }
            case CHOSEN -> List.of(new BranchPartition(branches.get(0), numbers.get(partition)));
        };
    }

    private BranchPartition inTurn(int partition) {
        int left = partition;
        for (int i = 0; i < numbers.size(); i++) {
            if (left < numbers.get(i)) {
                return new BranchPartition(branches.get(i), left);
            }
            left -= numbers.get(i);
        }
        throw new IllegalArgumentException("partition " + partition + ": not one of " + numbers);
    }

    private List<BranchPartition> neighbours(int partition) {
        long there = numbers.get(0);
        long here = numbers.get(1);
        return IntStream.range((int) (partition * there / here), (int) ((partition + 1) * there / here))
                .mapToObj(part -> new BranchPartition(branches.get(0), part))
                .toList();
    }
}
