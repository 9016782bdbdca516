package dev.hearth.spi.net;

/** Registration in a scope or env. Closing it frees the name and stops delivery. */
public interface Registration extends AutoCloseable {
    @Override
    void close();
}
