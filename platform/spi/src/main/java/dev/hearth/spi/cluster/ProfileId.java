package dev.hearth.spi.cluster;

/** A kind of executor of one application. So far there is the default one, made from {@code hearth.executor.*}. */
public record ProfileId(int value) {
    public static final ProfileId DEFAULT = new ProfileId(0);
}
