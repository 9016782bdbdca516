package dev.hearth.rpc.internal.http;

import dev.hearth.spi.rpc.RpcTimes;
import dev.hearth.spi.time.Ticker;

/** What all connections of a lane share. */
record HttpServices(
        RequestRouter reception,
        BuiltInPages pages,
        ResponseRenderer renderer,
        HandlerPool pool,
        BodyBudget bodies,
        HttpCounters counters,
        RpcTimes times,
        Ticker ticker) {}
