/** Bulk data of an env on Netty: served streams, fetches, downloads, uploads, stores of content. Not exported. */
@NullMarked
package dev.hearth.rpc.internal.bulk;

import org.jspecify.annotations.NullMarked;
