package dev.hearth.spi.net;

/** A place in a scope or env; closing it makes the name free and what was there deaf. */
public interface Registration extends AutoCloseable {
    @Override
    void close();
}
