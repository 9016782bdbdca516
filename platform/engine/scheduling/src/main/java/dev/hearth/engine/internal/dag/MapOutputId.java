package dev.hearth.engine.internal.dag;

/** The output of one map task. */
public record MapOutputId(int shuffle, int map) {
    @Override
    public String toString() {
        return "shuffle " + shuffle + ", map task " + map;
    }
}
