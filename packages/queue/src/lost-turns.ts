/**
 * A lock or a pause between two checks that lasts longer than this in Redis, in ms, was not set by a worker: its time was lost when a
 * key was restored. Workers ask for 5 s and 2 s, and Redis itself counts them down.
 */
export const endlessMs = 60_000;

/**
 * For Redis, as one step. KEYS[1] is the prefix of the queue's keys; ARGV has `endlessMs` and the ids of turns. Returns the ids
 * that it has freed.
 *
 * BullMQ keeps the job of an id in one of `wait`, `prioritized`, `delayed` and `active`, and lets no second one in as
 * long as `de:<id>` names it and its hash is there. A job that is in none of them is taken by no worker, unless one runs it
 * and renews its lock. So such a job is removed with all that keeps others out. A job in `active` is left to
 * BullMQ's check for stalled jobs, and here only what would keep that check from it for ever is removed.
 */
export const freeLostInRedis = `
local prefix = KEYS[1]
local endless = tonumber(ARGV[1])
local freed = {}

local function isEndless(key)
  local ttl = redis.call('PTTL', key)
  return ttl == -1 or ttl > endless
end

local function membersOf(list)
  local members = {}
  for _, job in ipairs(redis.call('LRANGE', prefix .. list, 0, -1)) do members[job] = true end
  return members
end

local waiting, active

local function waits(job)
  if redis.call('ZSCORE', prefix .. 'prioritized', job) or redis.call('ZSCORE', prefix .. 'delayed', job) then
    return true
  end
  waiting = waiting or membersOf('wait')
  return waiting[job] == true
end

if isEndless(prefix .. 'stalled-check') then redis.call('DEL', prefix .. 'stalled-check') end

for index = 2, #ARGV do
  local id = ARGV[index]
  local job = redis.call('GET', prefix .. 'de:' .. id)
  if job and not waits(job) then
    local lock = prefix .. job .. ':lock'
    local unlocked = isEndless(lock) and redis.call('DEL', lock) == 1
    active = active or membersOf('active')
    if active[job] then
      if unlocked then table.insert(freed, id) end
    elseif redis.call('EXISTS', lock) == 0 then
      redis.call('DEL', prefix .. 'de:' .. id, prefix .. 'dn:' .. id, prefix .. job)
      redis.call('ZREM', prefix .. 'completed', job)
      redis.call('ZREM', prefix .. 'failed', job)
      table.insert(freed, id)
    end
  end
end

return freed`;
