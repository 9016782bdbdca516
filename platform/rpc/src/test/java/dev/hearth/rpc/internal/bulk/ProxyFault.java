package dev.hearth.rpc.internal.bulk;

/** A fault that {@link FaultyProxy} injects into one connection, after a number of bytes. */
record ProxyFault(Kind kind, long afterBytes, boolean fromServer) {
    static final ProxyFault NONE = new ProxyFault(Kind.NONE, Long.MAX_VALUE, true);

    static ProxyFault cut(long afterBytes) {
        return new ProxyFault(Kind.CUT, afterBytes, true);
    }

    static ProxyFault cutUpload(long afterBytes) {
        return new ProxyFault(Kind.CUT, afterBytes, false);
    }

    static ProxyFault flip(long afterBytes) {
        return new ProxyFault(Kind.FLIP, afterBytes, true);
    }

    static ProxyFault flipUpload(long afterBytes) {
        return new ProxyFault(Kind.FLIP, afterBytes, false);
    }

    static ProxyFault stall(long afterBytes) {
        return new ProxyFault(Kind.STALL, afterBytes, true);
    }

    enum Kind {
        NONE,
        CUT,
        FLIP,
        STALL
    }
}
