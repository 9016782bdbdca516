package dev.hearth.spi.cluster;

/** Resource profile of executors. Only the default profile exists so far, defined by {@code hearth.executor.*}. */
public record ProfileId(int value) {
    public static final ProfileId DEFAULT = new ProfileId(0);
}
